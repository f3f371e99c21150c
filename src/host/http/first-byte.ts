/** Tells when undici is about to write a request, for the senders that go through its pools. */
import type { Dispatcher } from 'undici';
import { noteLeaving } from './left.ts';

/**
 * @returns a handler that passes everything on to the given one. An interceptor that only spread it would lose the
 * methods of its class.
 */
export function forwarding(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

/** Notes each request right before its first byte, once it is connected. */
export const notingFirstByte: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) =>
    dispatch(options, {
      ...forwarding(handler),
      onRequestStart(...args) {
        noteLeaving(options.method);
        handler.onRequestStart?.(...args);
      },
    });
