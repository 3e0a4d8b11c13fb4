// The public entry `@holdpoint/a2a`: the A2A extension by which agents ask people, and its data parts. Pure; needs
// `@a2a-js/sdk` for its types.

export type { A2aAnswer, A2aQuestion } from "./extension.ts"
export { elicitationExtension } from "./extension.ts"
export { answerPart, questionParts, readAnswers, readQuestions } from "./parts.ts"
export { answerFromText } from "./text-answer.ts"
