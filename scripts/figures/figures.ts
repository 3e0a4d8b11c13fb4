// The figures in documents, and the places where they stand: `<!-- figure NAME -->` … `<!-- end -->`.

import { toolsets } from "@holdpoint/nextcloud"
import { table } from "../../apps/nextcloud/src/tools/table.ts"
import { goneTools, peerTools } from "../../apps/nextcloud/test/peer-tools.ts"
import { countInstalled, readLock } from "./installed.ts"
import { countNames } from "./names.ts"
import { readWalks } from "./walks.ts"
import { readWorkspaces } from "./workspaces.ts"

export type Figures = Readonly<Record<string, string>>

export function readFigures(): Figures {
  const workspaces = readWorkspaces()
  const lock = readLock()
  const names = workspaces.map(countNames)
  const peers = Object.values(peerTools).flat()
  return {
    tools: String(table.length),
    toolsets: String(toolsets.length),
    "peer-tools": String(peers.length),
    "peer-tools-here": String(peers.length - goneTools.length),
    names: String(names.reduce((sum, { all }) => sum + all, 0)),
    packages: toTable(
      ["package", "packages installed", "entries", "names of the front entry", "names in all"],
      workspaces.map(({ folder, name }, index) => [
        `\`${name}\``,
        String(countInstalled(lock, folder)),
        ...[names[index]?.entries, names[index]?.front, names[index]?.all].map(String),
      ]),
    ),
    walks: toTable(
      ["walk", "files", "reversals", "only pass on"],
      readWalks().map(({ name, files, reversals, passOns }) => [
        name,
        ...[files, reversals.length, passOns].map(String),
      ]),
    ),
  }
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"))
  return `\n${[head, rule, ...rows].map(line).join("\n")}\n`
}

const markedPlace = /(<!-- figure ([\w-]+) -->)([\s\S]*?)(<!-- end -->)/g

/** The document with its figures as they are now. A name that does not exist is an error. */
export function fill(document: string, figures: Figures): string {
  return document.replaceAll(markedPlace, (_all, begin: string, name: string, _text, end: string) => {
    const figure = figures[name]
    if (figure === undefined) throw new Error(`There is no figure “${name}”: see scripts/figures/figures.ts.`)
    return begin + figure + end
  })
}
