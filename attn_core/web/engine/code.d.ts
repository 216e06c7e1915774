// code.js is not a file: the bundler puts the modules of service.js into one function, whose text starts a worker too.

import { open, serve } from "./service";

export function engineCode(): { open: typeof open; serve: typeof serve };
