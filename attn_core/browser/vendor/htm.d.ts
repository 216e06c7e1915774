// htm makes the elements that a template literal describes, by calling a function for each of them.

export const htm: {
  bind<Result>(h: (type: any, props: any, ...children: any[]) => Result): (template: TemplateStringsArray, ...values: unknown[]) => Result | Result[];
};
