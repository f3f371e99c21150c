/** What a running server does beside answering: bills the days that pass, and delivers what is due. */
import { catchUp } from './billing/billing-run.ts';
import { createDeliverer, type DeliverOptions } from './deliveries/deliver.ts';

/** Other processes write to the same file, so there is something to look for at any time. */
const POLL_MS = 500;

export interface BackgroundOptions extends DeliverOptions {
  signal: AbortSignal;
  /** Told of what went wrong; the server goes on and tries again. */
  onDefect?: ((error: unknown) => void) | undefined;
}

/** Resolves when the signal is aborted. An attempt that this cuts off stays queued. */
export async function runInBackground(options: BackgroundOptions): Promise<void> {
  const { store, clock, signal, onDefect } = options;
  const deliverer = createDeliverer(options);
  const work = async () => {
    catchUp(store);
    while (!signal.aborted && (await deliverer.deliverSome()));
  };
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      if (!signal.aborted) onDefect?.(error);
    }
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
  }
  await deliverer.close();
}
