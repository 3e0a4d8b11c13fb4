// Builds the description of a remote agent for a model, from the agent's card. The text is untrusted, like the
// description of a tool of an MCP server. Pure.

import type { AgentCard } from "@a2a-js/sdk"

/** The maximum length of the description. */
const maxLength = 2_000
const maxSkills = 20

export function descriptionOf({ name, description, skills }: AgentCard): string {
  const about = [text(name), text(description)].filter((one) => one !== "").join(": ")
  const lines = (Array.isArray(skills) ? skills : [])
    .slice(0, maxSkills)
    .map((skill) => `- ${[text(skill?.name), text(skill?.description)].filter((one) => one !== "").join(": ")}`)
  const fullText = [`Gives a task to another agent and returns its reply. ${about}`.trim(), ...lines].join("\n")
  return fullText.length <= maxLength ? fullText : `${fullText.slice(0, maxLength - 1).toWellFormed()}…`
}

/** The text without control characters. Empty for a value that is not text, which a faulty card may contain. */
const text = (value: unknown): string =>
  typeof value === "string"
    ? value
        .slice(0, maxLength)
        .toWellFormed()
        .replace(/[^\P{C}\n\t]/gu, "")
        .trim()
    : ""
