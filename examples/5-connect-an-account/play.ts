// Alice and bob, each with a browser of their own: both get the same link, and it is worth something to one of them.

import assert from "node:assert/strict"
import { openBrowser, type Page } from "./browser.ts"

export async function play(publicUrl: string, link: string): Promise<void> {
  const bob = openBrowser()
  const foreign = await bob.submit(await bob.open(link), { user: "bob", password: "holdpoint" })
  assert.deepEqual(read(foreign), [404, "This link cannot be used"])
  const unknown = await bob.open(`${publicUrl}/connect/00000000-0000-4000-8000-000000000000`)
  assert.equal(unknown.html, foreign.html, "bob cannot tell alice's link from one that never was")
  console.log(`bob opens alice's link:   ${foreign.heading}`)

  const alice = openBrowser()
  const signIn = await alice.open(link)
  assert.deepEqual(read(signIn), [200, "Sign in to try it out"])
  const connect = await alice.submit(signIn, { user: "alice", password: "holdpoint" })
  assert.deepEqual(read(connect), [200, "Connect Example Notes?"])
  assert.ok(connect.html.includes("Read your notes"), "the page says what will be allowed")
  console.log(`alice opens it, signs in: ${connect.heading}`)

  const atNotes = await alice.submit(connect, { do: "continue" })
  assert.deepEqual(read(atNotes), [200, "Example Notes"])
  console.log("alice presses Continue:   she is at Example Notes, which asks her itself")

  const done = await alice.submit(atNotes, { say: "yes" })
  assert.deepEqual(read(done), [200, "Connected as alice@notes.example"])
  assert.equal(done.url.href, link, "neither code nor state stays in her browser's history")
  console.log(`alice says Yes there:     ${done.heading}`)
}

const read = ({ status, heading }: Page): readonly [number, string] => [status, heading]
