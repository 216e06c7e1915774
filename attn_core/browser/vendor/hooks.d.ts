// What this project uses of Preact's hooks.

import type { Context, RefObject } from "./preact.js";

type Effect = () => void | (() => void);
type Update<State> = (change: State | ((previous: State) => State)) => void;

export function useState<State>(initial: State | (() => State)): [State, Update<State>];
export function useRef<T>(initial: T): RefObject<T>;
export function useRef<T>(initial: null): RefObject<T | null>;
/** Runs after the browser has painted; it may return a function that undoes it. */
export function useEffect(effect: Effect, inputs?: readonly unknown[]): void;
/** Runs before the browser paints. */
export function useLayoutEffect(effect: Effect, inputs?: readonly unknown[]): void;
export function useMemo<T>(compute: () => T, inputs: readonly unknown[]): T;
export function useContext<T>(context: Context<T>): T;
/** A name for an element, the same each time that the component is drawn. */
export function useId(): string;
/** What a component below has thrown, undefined if nothing, and a function that draws the component again. */
export function useErrorBoundary(onError?: (problem: unknown) => void): [unknown, () => void];
