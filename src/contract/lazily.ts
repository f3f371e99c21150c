/**
 * A schema that is made when it is first asked for. Making all schemas of the interface takes longer
 * than a look-up on the same machine, and a command needs two of them at the most.
 */
export function lazily<Schema>(make: () => Schema): () => Schema {
  let made: { schema: Schema } | undefined;
  return () => {
    made ??= { schema: make() };
    return made.schema;
  };
}
