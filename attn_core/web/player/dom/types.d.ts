// Elements by name. Not part of a bundle.

/** The controls for moving between steps, on the lab's stages. */
export interface StepsUi {
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  play: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  scrub: HTMLInputElement;
}
