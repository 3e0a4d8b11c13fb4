// Forms that use all of the vocabulary: a default for every kind of field, and every way to write a choice.

export const defaults = {
  type: "object",
  properties: {
    name: { type: "string", description: "Name", default: "John Doe" },
    age: { type: "integer", description: "Age", default: 30 },
    score: { type: "number", description: "Score", default: 95.5 },
    status: { type: "string", description: "Status", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", description: "Verified", default: true },
  },
} as const

const options = ["option1", "option2", "option3"] as const

function titled(kind: string) {
  return ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${kind}` }))
}

export const enums = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", description: "One of three", enum: options },
    titledSingle: { type: "string", description: "One of three with titles", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      description: "One of three with titles as they were written before",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", description: "Some of three", items: { type: "string", enum: options } },
    titledMulti: { type: "array", description: "Some of three with titles", items: { anyOf: titled("Choice") } },
  },
} as const
