/** A component and the props that a template gives it (typed-templates.cjs); children are not checked. */
declare function propsOf<Props>(
  component: ((props: Props) => unknown) | (new (props: Props) => unknown),
  props: NoInfer<Props> & { key?: string | number },
): unknown;
