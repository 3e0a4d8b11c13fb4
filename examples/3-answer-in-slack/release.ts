// A program that asks alice in Slack before it continues, and gets her answer by one press of a button. Events come by
// socket mode, so it needs no public address.

import { createMemoryStorage, form, text } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { slack } from "@holdpoint/slack"

export interface SlackKeys {
  readonly botToken: string
  readonly appToken: string
  readonly apiUrl?: string
}

export async function release({ botToken, appToken, apiUrl }: SlackKeys, print: (line: string) => void): Promise<void> {
  const storage = createMemoryStorage()
  // #region ask
  const inSlack = slack({ botTokens: [botToken], appToken, apiUrl })
  const holdpoint = await createHoldpoint({
    ...{ storage, keys: withNewKey(), publicUrl: "http://127.0.0.1:4650", people: { from: "local", user: "alice" } },
    parts: [inSlack],
  })
  const { hub, identity } = holdpoint
  if (!("principal" in identity)) throw new Error("There is one person at this machine.")
  const alice = identity.principal
  // Here the program says whose account it is. With `holdpoint serve`, people link their own, after signing in.
  await inSlack.app.links.link({ team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team" }, alice)

  const asked = { audience: alice, requester: { id: "release", name: "Release" }, lifetimeMs: 3_600_000 }
  const sure = await hub.wait(await hub.ask({ ...asked, message: "Publish version 2.0?", form: form({}) }))
  print(`publish: ${sure.status}`)
  const notes = await hub.wait(
    await hub.ask({ ...asked, message: "What is new in 2.0?", form: form({ notes: text({ maxLength: 2_000 }) }) }),
  )
  print(`notes: ${notes.status === "completed" ? notes.content.notes : notes.status}`)
  // #endregion
  await holdpoint.close()
  await storage.close()
}
