// What a model is told about an agent of others, from the agent's card: foreign text, like the description of a tool of
// an MCP server. Pure.

import type { AgentCard } from "@a2a-js/sdk"

/** The longest description. */
const most = 2_000
const mostSkills = 20

export function descriptionOf({ name, description, skills }: AgentCard): string {
  const about = [text(name), text(description)].filter((one) => one !== "").join(": ")
  const lines = (Array.isArray(skills) ? skills : [])
    .slice(0, mostSkills)
    .map((skill) => `- ${[text(skill?.name), text(skill?.description)].filter((one) => one !== "").join(": ")}`)
  const all = [`Gives a task to another agent and returns its reply. ${about}`.trim(), ...lines].join("\n")
  return all.length <= most ? all : `${all.slice(0, most - 1).toWellFormed()}…`
}

/** A card may have anything in place of text. */
const text = (value: unknown): string =>
  typeof value === "string"
    ? value
        .toWellFormed()
        .replace(/[^\P{C}\n\t]/gu, "")
        .trim()
    : ""
