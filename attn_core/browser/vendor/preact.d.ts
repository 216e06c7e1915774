// What this project uses of Preact.

export interface VNode<Props = unknown> {
  readonly type: unknown;
  readonly props: Props & { children?: ComponentChildren };
  readonly key: unknown;
}

export type ComponentChild = VNode | string | number | bigint | boolean | null | undefined;
export type ComponentChildren = ComponentChild | ComponentChildren[];
export type ComponentType<Props = {}> = FunctionComponent<Props> | ComponentClass<Props>;
export type Attributes = { key?: string | number };

export interface RefObject<T> {
  current: T;
}

export interface FunctionComponent<Props = {}> {
  (props: Props & { children?: ComponentChildren }): ComponentChildren;
}

export interface ComponentClass<Props = {}, State = {}> {
  new (props: Props): Component<Props, State>;
}

export interface Component<Props = {}, State = {}> {
  componentDidMount?(): void;
  componentDidUpdate?(previousProps: Readonly<Props>, previousState: Readonly<State>): void;
  componentWillUnmount?(): void;
  componentDidCatch?(problem: unknown): void;
}

/** A subclass may have the static methods getDerivedStateFromError and getDerivedStateFromProps. */
export abstract class Component<Props = {}, State = {}> {
  constructor(props: Props);
  readonly props: Readonly<Props & { children?: ComponentChildren }>;
  state: Readonly<State>;
  setState(change: Partial<State> | ((state: Readonly<State>) => Partial<State>)): void;
  abstract render(): ComponentChildren;
}

export interface Context<T> {
  readonly Provider: FunctionComponent<{ value: T }>;
}

export const Fragment: FunctionComponent;
export function createContext<T>(defaultValue: T): Context<T>;
export function h<Props>(type: string | ComponentType<Props>, props: (Props & Attributes) | null, ...children: ComponentChildren[]): VNode<Props>;
/** Draw into `parent`; null removes what was drawn, and ends its effects. */
export function render(tree: ComponentChildren, parent: Element | DocumentFragment): void;
