// The event of the document by which answers.js tells component.js what the server answers.

export const ANSWERED = "explorer-answered";
