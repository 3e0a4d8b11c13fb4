// Alice and bob, each with their own browser: both get the same link, and it works for one of them.

import assert from "node:assert/strict"
import { openBrowser, type Page } from "./browser.ts"

export async function answerAsScriptedPeople(publicUrl: string, link: string): Promise<void> {
  const bob = openBrowser()
  const foreign = await bob.submit(await bob.open(link), { user: "bob" })
  assert.equal(foreign.status, 404)
  const unknown = await bob.open(`${publicUrl}/connect/00000000-0000-4000-8000-000000000000`)
  assert.equal(unknown.html, foreign.html, "bob cannot tell alice's link from one that never was")
  see("bob opens alice's link", foreign, "This link cannot be used")

  const alice = openBrowser()
  const signIn = await alice.open(link)
  assert.equal(signIn.heading, "Sign in to try it out")
  const connect = await alice.submit(signIn, { user: "alice" })
  assert.ok(connect.html.includes("Read your notes"), "the page says what will be allowed")
  see("alice opens it, signs in", connect, "Connect Example Notes?")

  const atNotes = await alice.submit(connect, { do: "continue" })
  see("alice presses Continue", atNotes, "Example Notes")

  const done = await alice.submit(atNotes, { say: "yes" })
  assert.equal(done.url.href, link, "neither code nor state stays in her browser's history")
  see("alice says Yes there", done, "Connected as alice@notes.example")
}

/** Prints what a person does and the heading of the page that follows, and checks the heading. */
export function see(doing: string, { heading }: Page, expected: string): void {
  assert.equal(heading, expected)
  console.log(`${`${doing}:`.padEnd(25)} ${heading}`)
}
