// code.js is not a file: the bundler writes it. The function that it loads contains the modules of service.js, and its
// text starts a worker too.

import { open, serve } from "./service";

export type Code = () => { open: typeof open; serve: typeof serve };

/** Rejects where the engine is a file beside the script and cannot be fetched. */
export function loadEngine(): Promise<Code>;
