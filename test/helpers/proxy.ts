/** A proxy for HTTPS, as tiny as one can be: CONNECT, and what a test wants to happen to it. */
import net, { type Socket } from 'node:net';
import { type ArrivedRequest, type HostileServer, hostileServer } from './hostile-server.ts';

export type OnConnect = (socket: Socket, request: ArrivedRequest) => void;

/** @param onConnect what a CONNECT gets; everything else is unheard of */
export function connectProxy(onConnect: OnConnect): Promise<HostileServer> {
  return hostileServer({
    onRequest(socket, request) {
      if (request.method !== 'CONNECT') throw new Error(`a proxy was sent ${request.method}`);
      onConnect(socket, request);
    },
  });
}

/** @returns what leads every host to one port of this machine */
export function tunnelTo(port: number): OnConnect {
  return (socket) => {
    const far = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      // The tunnel has bytes of its own, which are no requests any more.
      socket.removeAllListeners('data');
      socket.pipe(far).pipe(socket);
    });
    far.on('error', () => socket.destroy());
    socket.on('error', () => far.destroy());
    socket.on('close', () => far.destroy());
  };
}
