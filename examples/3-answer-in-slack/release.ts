// A program that asks alice in Slack before it continues, and gets her answer by one press of a button. Events come by
// socket mode, so it needs no public address.

import { createAddresses, createHub, createMemoryStorage, form, systemRuntime, text } from "@holdpoint/sdk"
import { createDirectory } from "@holdpoint/sdk/outlets"
import { withNewKey } from "@holdpoint/sdk/sealing"
import { createSlack } from "@holdpoint/sdk/slack"

export interface SlackKeys {
  readonly botToken: string
  readonly appToken: string
  readonly apiUrl?: string
}

const alice = { tenant: "acme", issuer: "https://login.example", subject: "alice" }

export async function release({ botToken, appToken, apiUrl }: SlackKeys, print: (line: string) => void): Promise<void> {
  const storage = createMemoryStorage()
  const report = (doing: string, error: unknown): void => console.error(`${doing}: ${error}`)
  // #region ask
  const slack = createSlack({
    ...{ botTokens: [botToken], appToken, apiUrl, storage, keys: withNewKey(), runtime: systemRuntime, report },
    findPerson: async (person) => (person.subject === "alice" ? { principal: alice, name: "Alice" } : undefined),
  })
  // Here the program says whose account it is. With `holdpoint serve`, people link their own, after signing in.
  await slack.links.link({ team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team" }, alice)
  const hub = createHub({ storage, outlets: [slack.outlet], directory: createDirectory([slack.people]) })
  const mount = slack.mount({ hub, addresses: createAddresses("http://127.0.0.1:4650") })

  const asked = { audience: alice, requester: { id: "release", name: "Release" }, lifetimeMs: 3_600_000 }
  const sure = await hub.wait(await hub.ask({ ...asked, message: "Publish version 2.0?", form: form({}) }))
  print(`publish: ${sure.status}`)
  const notes = await hub.wait(
    await hub.ask({ ...asked, message: "What is new in 2.0?", form: form({ notes: text({ maxLength: 2_000 }) }) }),
  )
  print(`notes: ${notes.status === "completed" ? notes.content.notes : notes.status}`)
  // #endregion
  await mount.close()
  await hub.close()
  await storage.close()
}
