/** Makes a server, says where it is, and waits to be killed. */
import { Cluster, findPostgres } from '../helpers/postgres.ts';

const cluster = new Cluster(findPostgres() ?? '');
process.stdout.write(`${cluster.folder}\n`);
setInterval(() => undefined, 1_000);
