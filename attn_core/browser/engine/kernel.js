// kernel.c as WebAssembly with SIMD, and how it is started. `python -m tests.helpers.kernel` writes
// the bytes again.

/** The compiled kernel in base64. */
export const BYTES =
  "AGFzbQEAAAABFAJgCX9/f39/f39/fwBgA39/fQF9Ag8BA2VudgZtZW1vcnkCAAEDAwIAAQQFAXABAQEGBwF/AUGAIAsHGwIIcHJvZHVjdHMAAAxl" +
  "eHBvbmVudGlhbHMAAQqhDAKQBQYLfwF7AX8DewF/AX0CQCAFQQFIDQAgB0ECdCEJIAhBAnQhCiAGQQNxIQsgBkFwcSEMQQAhDSAEQQFIIQ4gBkEQ" +
  "SCEPA0ACQCAODQAgACANQQJ0IghqIRAgAyAIaiERQQAhEiABIRMDQAJAAkAgD0UNAP0MAAAAAAAAAAAAAAAAAAAAACEUQQAhFQwBC0EQIRVBACEI" +
  "/QwAAAAAAAAAAAAAAAAAAAAAIhQhFiAUIRcgFCEYA0AgGCACIAhqIgf9AAAAIBMgCGoiGf0AAAD95gH95AEhGCAUIAdBMGr9AAAAIBlBMGr9AAAA" +
  "/eYB/eQBIRQgFiAHQSBq/QAAACAZQSBq/QAAAP3mAf3kASEWIBcgB0EQav0AAAAgGUEQav0AAAD95gH95AEhFyAIQcAAaiEIIBVBEGoiFSAGTA0A" +
  "CyAYIBf95AEgFiAU/eQB/eQBIRQgDCEVCyAU/R8DIBT9HwIgFP0fACAU/R8BkpKSIRoCQCAVIAZODQACQAJAIAsNACAVIQcMAQsgFUECdCEIIAsh" +
  "GSAVIQcDQCACIAhqKgIAIBMgCGoqAgCUIBqSIRogCEEEaiEIIAdBAWohByAZQX9qIhkNAAsLIBUgBmtBfEsNACAHQQJ0IQggBiAHayEVA0AgAiAI" +
  "aiIHQQxqKgIAIBMgCGoiGUEMaioCAJQgB0EIaioCACAZQQhqKgIAlCAHQQRqKgIAIBlBBGoqAgCUIAcqAgAgGSoCAJQgGpKSkpIhGiAIQRBqIQgg" +
  "FUF8aiIVDQALCwJAIANFDQAgGiARKgIAkiEaCyAQIBIgBWxBAnRqIBo4AgAgEyAJaiETIBJBAWoiEiAERw0ACwsgAiAKaiECIA1BAWoiDSAFRw0A" +
  "CwsLjAcGAXsBfwF7AX8PewJ9AkACQCABQQhODQD9DAAAAAAAAAAAAAAAAAAAAAAhA0EAIQQMAQsgAv0TIQUgACEEQQghBv0MAAAAAAAAAAAAAAAA" +
  "AAAAACIHIQgDQCAIIAT9AAAAIAX95QH9DAAArsIAAK7CAACuwgAArsIiCf3pASID/Qw7qrg/O6q4PzuquD87qrg/Igr95gH9aiIL/QyDgF45g4Be" +
  "OYOAXjmDgF45Igz95gEgAyAL/QwAgDE/AIAxPwCAMT8AgDE/Ig395gH95QH95AEiAyADIAP95gEgAyADIAMgAyAD/QxnaVA5Z2lQOWdpUDlnaVA5" +
  "Ig795gH9DM5DtzrOQ7c6zkO3Os5DtzoiD/3kAf3mAf0MCIkIPAiJCDwIiQg8CIkIPCIQ/eQB/eYB/QzBqSo9wakqPcGpKj3BqSo9IhH95AH95gH9" +
  "DKqqKj6qqio+qqoqPqqqKj4iEv3kAf3mAf0MAAAAPwAAAD8AAAA/AAAAPyIT/eQB/eYB/eQB/QwAAIA/AACAPwAAgD8AAIA/IhT95AEgC/34AUEX" +
  "/asB/QwAAIA/AACAPwAAgD8AAIA/IhX9rgH95gH95AEhCCAHIARBEGr9AAAAIAX95QEgCf3pASIDIAr95gH9aiILIAz95gEgAyALIA395gH95QH9" +
  "5AEiAyADIAP95gEgAyADIAMgAyADIA795gEgD/3kAf3mASAQ/eQB/eYBIBH95AH95gEgEv3kAf3mASAT/eQB/eYB/eQBIBT95AEgC/34AUEX/asB" +
  "IBX9rgH95gH95AEhByAEQSBqIQQgBkEIaiIGIAFMDQALIAggB/3kASEDIAFB+P///wdxIQQLIAP9HwMgA/0fAiAD/R8AIAP9HwGSkpIhFgJAIAEg" +
  "BEwNACABIARrIQYgACAEQQJ0aiEEA0AgFiAEKgIAIAKTQwAArsKXIhdDO6q4P5T9E/1qIgP9+AFBF/2rAf0MAACAPwAAgD8AAIA/AACAP/2uAf0f" +
  "ACAD/QyDgF45g4BeOYOAXjmDgF45/eYBIBf9EyAD/QwAgDG/AIAxvwCAMb8AgDG//eYB/eQB/eQBIgP9HwAiFyADIAP95gH9HwAgFyAXIBcgFyAX" +
  "Q2dpUDmUQ85DtzqSlEMIiQg8kpRDwakqPZKUQ6qqKj6SlEMAAAA/kpSSQwAAgD+SlJIhFiAEQQRqIQQgBkF/aiIGDQALCyAWCw==";

/**
 * The functions of kernel.c; addresses are in bytes.
 * @typedef {{
 *   products: (out: number, x: number, w: number, bias: number, n: number, rows: number, size: number, stepX: number,
 *     stepW: number) => void,
 *   exponentials: (x: number, n: number, most: number) => number,
 * }} Kernel
 */

/**
 * The kernel over a memory, or null where WebAssembly or its SIMD instructions are missing.
 * @param {WebAssembly.Memory} memory
 * @returns {Kernel | null}
 */
export function kernel(memory) {
  try {
    const bytes = Uint8Array.from(atob(BYTES), (letter) => letter.charCodeAt(0));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    return /** @type {any} */ (instance.exports);
  } catch {
    return null;
  }
}
