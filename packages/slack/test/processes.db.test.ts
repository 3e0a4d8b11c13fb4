// Slack on one database that several processes share: one asks and waits, another has Slack.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { createHub } from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import { elsewhere } from "@holdpoint/hub/outlets"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { Message } from "@holdpoint/slack-stand-in"
import { createFolder } from "@holdpoint/testkit/hub/stores/engines"
import { expect, it, onTestFinished } from "vitest"
import { alice, aliceInSlack, openSlackWorld } from "./world.ts"

const hasButtons = ({ blocks = [] }: Message): boolean => blocks.some(({ type }) => type === "actions")

it("a program that waits in one process continues when the person presses a button in another one", async () => {
  const folder = await createFolder()
  const path = join(folder, "hub.db")
  const world = await openSlackWorld({}, await openSqlite(path))
  const others = [await openSqlite(path), await openSqlite(path)] as const
  const first = await world.addNode()
  const second = await world.addNode({ isAimedAt: false, storage: others[0] })
  await world.link(first, aliceInSlack, alice)
  const storage = others[1]
  const asking = createHub({ storage, outlets: [elsewhere("slack")], runtime: world.clock })
  onTestFinished(async () => {
    await Promise.all([asking.close(), second.close()])
    await Promise.all(others.map((one) => one.close()))
    await rm(folder, { recursive: true, force: true })
  })
  const audience = alice
  for (const node of [first, second]) {
    const asked = await asking.ask({
      message: "Go on?",
      audience,
      requester: { id: "p" },
      lifetimeMs: 60_000,
      form: confirmForm(),
    })
    const sees = () =>
      world.slack
        .as("U0ALICE")
        .sees()
        .find((one) => hasButtons(one) && JSON.stringify(one).includes(asked.id))
    const message = await world.slack.until(sees)
    world.slack.aim({ interactivity: `${node.url}/slack/interactivity` })
    await world.slack.as("U0ALICE").press({ ...message, button: "holdpoint_yes" })
    expect(await asking.wait(asked)).toMatchObject({ status: "completed" })
    await world.slack.until(() => sees() === undefined)
  }
  expect(world.slack.as("U0ALICE").sees()).toHaveLength(2)
  expect(world.problems).toEqual([])
})
