// Writes docs/configuration.md from the table of settings: npm run docs:configuration

import { writeFile } from "node:fs/promises"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import { type Setting, settings } from "../apps/holdpoint/src/settings.ts"

export const documentPath = new URL("../docs/configuration.md", import.meta.url)

export function toConfigurationDocument(): string {
  const rows = settings.map(toRow)
  return `# Settings

Made from the table that the command itself uses, by \`npm run docs:configuration\`; a test fails when it is out of date.

Settings come from three places, and the later one wins: the file \`holdpoint.config.ts\` (or \`.js\`, \`.mjs\`) of the
folder that the command is started in, or the one that \`--config\` names; the environment; the flags. A name that does
not exist is an error that suggests the nearest one.

An example is \`docs/production/holdpoint.config.ts\`.

| setting | what | variable | flag | value | default |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}

A time is a number of milliseconds, or text such as \`30s\`, \`5m\`, \`2h\` or \`7d\`. A list in a variable is separated by
commas. \`HOLDPOINT_DEBUG=1\` prints the stack of an error. How to run a server: [production.md](production.md).
`
}

function toRow({ path, description, env, flag, kind, defaultText }: Setting): string {
  const cells = [
    code(path),
    description,
    env.map(code).join(", ") || "–",
    flag === undefined ? "–" : code(`--${flag.name}`),
    kind.expected,
    defaultText ?? "–",
  ]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

const code = (text: string): string => `\`${text}\``

const help = `npm run docs:configuration

Writes docs/configuration.md from the table of settings.

  --help  show this help
`

if (import.meta.main) {
  readCommandLine(help)
  await writeFile(documentPath, toConfigurationDocument())
}
