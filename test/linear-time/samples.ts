// What the guard over text functions passes to them besides the text: a sample for each type of parameter, and calls of
// functions whose text is inside another value.

import { answerFromText, readAnswers, readQuestions } from "@holdpoint/a2a"
import type { Form } from "@holdpoint/hub"
import { compile, readContent, validate } from "@holdpoint/hub/forms"
import { questionsOf } from "../../packages/a2a/src/client/questions.ts"
import { englishTexts } from "../../packages/hub/src/forms/texts.ts"

const textForm: Form = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
const program = { name: "a", address: "https://a.example" }
const doNothing = (): void => {}

/** A value for parameters of each type that is neither a text, a number nor a boolean. */
export const samples: Readonly<Record<string, unknown>> = {
  Form: textForm,
  "Form<C>": textForm,
  Field: { type: "string" },
  ForeignProgram: program,
  Agent: program,
  Server: program,
  "keyof typeof ends": "failed",
  Report: doNothing,
  JsonSchema: { type: "string" },
  Schema: { type: "string" },
  FormTexts: englishTexts,
  "Value | undefined": undefined,
  "readonly string[]": ["a", "b"],
  "readonly string[] | undefined": ["a"],
  "Iterable<string>": ["a", "b"],
  "readonly Problem[]": [],
  Claims: {},
  URLSearchParams: new URLSearchParams(),
  "() => void": doNothing,
  Reason: { code: "a", message: "a" },
  RefusedStatus: "declined",
  "Readonly<Record<string, string | number | undefined>>": { a: "a" },
  "(label: string) => boolean": () => false,
  "ReadonlySet<string>": new Set(["a"]),
  "AskingClient | undefined": undefined,
  "readonly StreamEvent[]": [],
  Acts: { yes: "Yes", no: "No", answers: { yes: {} }, rest: textForm },
}

/** Calls with a text inside another value, and of functions whose list grows with the text. */
export const calls: Readonly<Record<string, (text: string) => unknown>> = {
  "answerFromText, one choice of 500": (text) => answerFromText(choices(500, "one"), text),
  "answerFromText, several choices of 500": (text) => answerFromText(choices(500, "several"), text),
  "answerFromText, a choice for each 100 characters": (text) =>
    answerFromText(choices(Math.ceil(text.length / 100), "several"), text),
  "answerFromText, a title of an option": (text) => answerFromText(titled(text), text),
  "answerFromText, a message": (text) => answerFromText({ type: "object", properties: {} }, "Yes", text),
  "questionsOf, a text": (text) => questionsOf({ state: "auth", said: [{ type: "text", text }] }),
  "questionsOf, a link": (text) => questionsOf({ state: "auth", said: [{ type: "link", url: text }] }),
  "questionsOf, values": (text) =>
    questionsOf({
      state: "auth",
      said: [{ type: "data", value: Object.fromEntries(Object.entries(text.slice(0, 50_000))) }],
    }),
  "readQuestions, a question": (text) => readQuestions([dataPart({ type: "elicitation-request", message: text })]),
  "readAnswers, an answer": (text) =>
    readAnswers([dataPart({ type: "elicitation-response", elicitationId: text, action: "accept", reason: text })]),
  "compile, a schema of texts": (text) =>
    compile({
      type: "object",
      title: text,
      properties: { [text]: { type: "string", title: text, description: text, pattern: text, format: text } },
      required: [text],
    } as never),
  "compile, a schema of many fields": (text) =>
    compile({
      type: "object",
      properties: Object.fromEntries(
        text
          .slice(0, 20_000)
          .split("")
          .map((_, at) => [`a${at}`, { type: "string" }]),
      ),
    } as never),
  "compile, many equal options": (text) =>
    compile({ type: "object", properties: { a: { type: "string", enum: text.slice(0, 100_000).split("") } } } as never),
  "validate, a text": (text) => validate(textForm, { a: text }),
  "validate, an address": (text) => validate(withFormat("uri"), { a: text }),
  "validate, an e-mail address": (text) => validate(withFormat("email"), { a: text }),
  "validate, a time": (text) => validate(withFormat("date-time"), { a: text }),
  "readContent, a text": (text) => readContent(textForm, new URLSearchParams([["field.a", text]])),
}

const withFormat = (format: "uri" | "email" | "date-time"): Form => ({
  type: "object",
  properties: { a: { type: "string", format } },
})

const choices = (count: number, kind: "one" | "several"): Form => {
  const options = Array.from({ length: count }, (_, at) => ({ const: `option ${at}`, title: `"Option" ${at}...` }))
  const field =
    kind === "one"
      ? ({ type: "string", oneOf: options } as const)
      : ({ type: "array", items: { anyOf: options } } as const)
  return { type: "object", properties: { a: field } } as Form
}

const titled = (title: string): Form =>
  ({ type: "object", properties: { a: { type: "string", oneOf: [{ const: "a", title }] } } }) as Form

const dataPart = (value: unknown) =>
  ({ content: { $case: "data", value }, mediaType: "", metadata: undefined, filename: "" }) as const
