// What the hosts give to a component. Nothing of this is in a bundle.

/** The argument of a Streamlit component (v2); it is called again at every change of its data. */
export interface Streamlit<Data> {
  data: Data;
  parentElement: HTMLElement;
  setStateValue(name: string, value: unknown): void;
  setTriggerValue(name: string, value: unknown): void;
}

/** What ends a component. */
export type End = () => void;

/** anywidget's model: the traitlets of the kernel's object. */
export interface WidgetModel {
  get(name: string): any;
  set(name: string, value: unknown): void;
  on(event: string, action: () => void): void;
  off(event: string, action: () => void): void;
  save_changes(): void;
}
