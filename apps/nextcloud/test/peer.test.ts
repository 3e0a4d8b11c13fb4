// Whoever comes from the peer server finds every tool again: here, and in docs/migrating.md.

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { accessTools } from "../src/consent/access-tools.ts"
import { accessPeer } from "../src/consent/peer.ts"
import { calendarPeer } from "../src/tools/calendar/peer.ts"
import { collectivesPeer } from "../src/tools/collectives/peer.ts"
import { contactsPeer } from "../src/tools/contacts/peer.ts"
import { cookbookPeer } from "../src/tools/cookbook/peer.ts"
import { deckPeer } from "../src/tools/deck/peer.ts"
import { filesPeer } from "../src/tools/files/peer.ts"
import { historyPeer } from "../src/tools/history/peer.ts"
import { newsPeer } from "../src/tools/news/peer.ts"
import { notesPeer } from "../src/tools/notes/peer.ts"
import { sharingPeer } from "../src/tools/sharing/peer.ts"
import { table } from "../src/tools/table.ts"
import { tablesPeer } from "../src/tools/tables/peer.ts"
import { talkPeer } from "../src/tools/talk/peer.ts"
import { tasksPeer } from "../src/tools/tasks/peer.ts"
import { goneTools, peerTools } from "./peer-tools.ts"

const mapped: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[accessPeer, notesPeer, calendarPeer, tasksPeer, contactsPeer, filesPeer, historyPeer, sharingPeer, deckPeer],
  ...[tablesPeer, cookbookPeer, newsPeer, talkPeer, collectivesPeer],
)
const theirs: readonly string[] = Object.values(peerTools).flat()
const migrating = readFileSync(new URL("../../../docs/migrating.md", import.meta.url), "utf8")

describe("a tool of the peer server", () => {
  it("has a counterpart here, or is said to be gone", () => {
    expect(theirs.filter((name) => mapped[name] === undefined)).toEqual(goneTools)
  })

  it("is one that the peer has", () => {
    expect(Object.keys(mapped).filter((name) => !theirs.includes(name))).toEqual([])
  })

  it("leads to tools that exist", () => {
    const ours = new Set([...table, ...accessTools].map(({ name }) => name))
    const isTool = /\b(?:nc_\w+|(?:provision|request|revoke)_nextcloud_access|check_\w+)\b/g
    const named = Object.values(mapped).flatMap((words) => words.match(isTool) ?? [])
    expect(named.length).toBeGreaterThan(140)
    expect(named.filter((name) => !ours.has(name))).toEqual([])
  })

  it("stands in docs/migrating.md with where it has gone", () => {
    const rows = Object.entries(mapped).map(([name, words]) => `| \`${name}\` | ${words} |`)
    expect(rows.filter((row) => !migrating.includes(row))).toEqual([])
    expect(goneTools.filter((name) => !migrating.includes(`\`${name}\``))).toEqual([])
  })
})
