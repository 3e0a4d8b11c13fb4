// The manifest that people paste into Slack is the one that Slack's type accepts, and asks for what is used.

import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { slackPaths } from "../src/paths.ts"
import { manifest } from "./manifest.ts"

it("the manifest in the documents is the one that is checked", async () => {
  const file = new URL("../../../docs/slack/manifest.json", import.meta.url)
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(manifest)
})

it("the manifest leads to the addresses that the server answers at", () => {
  const { event_subscriptions: events, interactivity } = manifest.settings
  expect(new URL(events.request_url).pathname).toBe(slackPaths.events)
  expect(new URL(interactivity.request_url).pathname).toBe(slackPaths.interactivity)
})
