// Writes docs/nextcloud-tools.md from the tables of the Nextcloud server: npm run docs:tools

import { writeFile } from "node:fs/promises"
import { prompts } from "../apps/nextcloud/src/prompts/table.ts"
import { isTemplate } from "../apps/nextcloud/src/resources/address.ts"
import { resources } from "../apps/nextcloud/src/resources/table.ts"
import { hintsOf, type Tool, toolsets } from "../apps/nextcloud/src/tool.ts"
import { table } from "../apps/nextcloud/src/tools/table.ts"

export const documentPath = new URL("../docs/nextcloud-tools.md", import.meta.url)

export function toToolDocument(): string {
  return `${[head(), ...toolsets.map(section), resourceSection(), promptSection()].join("\n\n")}\n`
}

function head(): string {
  const recorded = table.filter(({ source }) => source === "recorded").length
  return `# Tools of the Nextcloud server

Made from the table that the server itself uses, by \`npm run docs:tools\`; a test fails when it is out of date.

${table.length} tools in ${toolsets.length} toolsets. The wire shapes of ${recorded} rest on recordings of a real Nextcloud 32.0.1, those of the other
${table.length - recorded} on the documented API alone; what of a tool the recordings do not cover is said in its row.

- **Effect**: \`read\` changes nothing, \`add\` only adds, \`set\` sets something to a state, \`change\` replaces what is there,
  \`remove\` takes it away. After it, the hints that clients get and that are true: R read-only, D destructive, I idempotent,
  O reaches others (people, or the web).
- **Asks first**: whether a person confirms it unless they or the configuration say otherwise: \`always\`, \`once\`, \`never\`.
  A dash: nothing is lost.
- **Requests**: to Nextcloud, for one call when connected. “+ n” are those by which it is found out what a person is shown
  before they confirm.`
}

function section(app: (typeof toolsets)[number]): string {
  const tools = table.filter((tool) => tool.app === app)
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    tool.description,
    tool.scopes.map((scope) => `\`${scope}\``).join(" "),
    `${tool.effect} · ${lettersOf(tool)}`,
    tool.confirm?.policy ?? "–",
    requestsOf(tool),
    groundOf(tool),
  ])
  const columns = ["Tool", "What it does", "Scopes", "Effect", "Asks first", "Requests", "Rests on"]
  return `## ${app}: ${tools.length}\n\n${toTable(columns, rows)}`
}

function lettersOf(tool: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hintsOf(tool)
  const letters = [readOnlyHint && "R", destructiveHint && "D", idempotentHint && "I", openWorldHint && "O"]
  return letters.filter((letter) => letter !== false).join("") || "–"
}

function requestsOf({ requests, confirm, requestsNote }: Tool): string {
  const before = confirm === undefined || confirm.requests === 0 ? "" : ` + ${confirm.requests}`
  return `${requests}${before}${requestsNote === undefined ? "" : `. ${requestsNote}`}`
}

function groundOf({ source, notRecorded }: Tool): string {
  const basis = source === "recorded" ? "recordings" : "the documented API"
  return notRecorded === undefined ? basis : `${basis}. Not recorded: ${notRecorded}`
}

function resourceSection(): string {
  const rows = resources.map((row) => [
    `\`${row.uri}\``,
    `${row.title}. ${row.description}`,
    `\`${row.tool}\``,
    isTemplate(row) ? "template" : "listed",
    row.version === undefined ? "–" : "yes",
  ])
  const columns = ["Address", "What it is", "Read by", "Kind", "Can be watched"]
  return `## Resources: ${rows.length}

A resource needs the consent, the app and the toolset of the tool that reads it. Those that can be watched tell clients on
connections that stay when they have changed.

${toTable(columns, rows)}`
}

function promptSection(): string {
  const rows = prompts.map(({ name, description, arguments: parameters, gather }) => [
    `\`${name}\``,
    description,
    parameters
      .map((parameter) => `\`${parameter.name}\`${parameter.required === true ? "" : " (optional)"}`)
      .join(", ") || "–",
    gather({ arguments: {}, now: new Date(0) })
      .map(({ tool }) => `\`${tool}\``)
      .join(", "),
  ])
  return `## Prompts: ${rows.length}\n\n${toTable(["Prompt", "What it gives", "Arguments", "Reads first"], rows)}`
}

function toTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n")
}

if (import.meta.main) await writeFile(documentPath, toToolDocument())
