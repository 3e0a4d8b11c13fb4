// Every tool of the peer server has an entry in the tables of counterparts and in docs/migrating.md.

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { accessTools } from "../src/consent/access-tools.ts"
import { table } from "../src/tools/table.ts"
import { calendarPeer } from "./peer/calendar.ts"
import { collectivesPeer } from "./peer/collectives.ts"
import { accessPeer } from "./peer/consent.ts"
import { contactsPeer } from "./peer/contacts.ts"
import { cookbookPeer } from "./peer/cookbook.ts"
import { deckPeer } from "./peer/deck.ts"
import { filesPeer } from "./peer/files.ts"
import { historyPeer } from "./peer/history.ts"
import { mailPeer } from "./peer/mail.ts"
import { newsPeer } from "./peer/news.ts"
import { notesPeer } from "./peer/notes.ts"
import { sharingPeer } from "./peer/sharing.ts"
import { tablesPeer } from "./peer/tables.ts"
import { talkPeer } from "./peer/talk.ts"
import { tasksPeer } from "./peer/tasks.ts"
import { goneTools, peerTools } from "./peer-tools.ts"

const mapped: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[accessPeer, notesPeer, calendarPeer, tasksPeer, contactsPeer, filesPeer, historyPeer, sharingPeer, deckPeer],
  ...[tablesPeer, cookbookPeer, newsPeer, talkPeer, mailPeer, collectivesPeer],
)
const theirs: readonly string[] = Object.values(peerTools).flat()
const migrating = readFileSync(new URL("../../../docs/migrating.md", import.meta.url), "utf8")

describe("a tool of the peer server", () => {
  it("has a counterpart here, or is listed as gone", () => {
    expect(theirs.filter((name) => mapped[name] === undefined)).toEqual(goneTools)
  })

  it("is mapped only if the peer has it", () => {
    expect(Object.keys(mapped).filter((name) => !theirs.includes(name))).toEqual([])
  })

  it("is mapped to tools that exist", () => {
    const ours = new Set([...table, ...accessTools].map(({ name }) => name))
    const isTool = /\b(?:nc_\w+|(?:provision|request|revoke)_nextcloud_access|check_\w+)\b/g
    const named = Object.values(mapped).flatMap((words) => words.match(isTool) ?? [])
    expect(named.length).toBeGreaterThan(140)
    expect(named.filter((name) => !ours.has(name))).toEqual([])
  })

  it("is listed in docs/migrating.md with its counterpart", () => {
    const rows = Object.entries(mapped).map(([name, words]) => `| \`${name}\` | ${words} |`)
    expect(rows.filter((row) => !migrating.includes(row))).toEqual([])
    expect(goneTools.filter((name) => !migrating.includes(`\`${name}\``))).toEqual([])
  })
})
