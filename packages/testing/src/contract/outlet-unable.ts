// A question ends as unsupported only when every outlet, in any process, reports that it cannot show it.

import assert from "node:assert/strict"
import type { Hub, Outcome, Outlet } from "@holdpoint/hub"
import { inbox } from "@holdpoint/hub"
import type { LastingOutlet } from "@holdpoint/hub/outlets"
import { elsewhere } from "@holdpoint/hub/outlets"
import type { OutletCase, OutletStage, Tamper } from "./outlet-case.ts"
import { people, verifies } from "./outlet-case.ts"
import { ask } from "./outlet-showing.ts"
import { formDraft, person } from "./samples.ts"

const { alice } = people
const stranger = person("stranger")
const unable = async () => ({ state: "unable", why: "not a member" }) as const

/** Creates a second lasting outlet, whose `post` shows every question or none. */
function otherOutlet(post: LastingOutlet["post"]): LastingOutlet {
  return { name: "other", addressKind: "other", post, find: async () => undefined, withdraw: async () => {} }
}

const createOutlet = (deliver: Outlet["deliver"]): Outlet => ({ name: "here", deliver, withdraw: async () => {} })

async function endsAs(stage: OutletStage, hub: Hub, id: string): Promise<Outcome> {
  const waiting = hub.wait(id)
  await stage.waitUntil("it has ended", async () => (await hub.get(id))?.status !== "pending")
  return waiting
}

export const unableOutlets: readonly OutletCase[] = [
  verifies(
    "delivery.unable-when-all-are",
    "ends a question as unsupported, with the reason, when no address is known",
    async (stage) => {
      const { hub } = await stage.start()
      const { name, addressKind } = await stage.outlet()
      const { id } = await hub.ask(formDraft({ audience: stranger }))
      const message = `${name}: no ${addressKind} address is known`
      assert.deepEqual(await endsAs(stage, hub, id), { status: "unsupported", reason: { code: "no_outlet", message } })
      await stage.waitUntil("nothing is kept of it", async () => (await stage.countDeliveries(id)) === 0)
    },
  ),

  verifies(
    "delivery.unable-when-all-are",
    "ends a question as unsupported in the asking process when the outlets of others are unable",
    async (stage) => {
      const asker = await stage.start({ isElsewhere: true, otherOutlets: [elsewhere("other")] })
      const { id } = await ask(asker)
      await stage.start({ tamper: { post: unable } })
      await stage.waitUntil("one said so", async () => (await stage.countEntries(id, "not_shown")) === 1)
      await stage.quiet()
      assert.equal((await asker.hub.get(id))?.status, "pending")
      await stage.startWithout([otherOutlet(unable)])
      const { name } = await stage.outlet()
      const message = `${name}: not a member; other: not a member`
      const outcome = await endsAs(stage, asker.hub, id)
      assert.deepEqual(outcome, { status: "unsupported", reason: { code: "no_outlet", message } })
    },
  ),

  verifies(
    "delivery.unable-when-all-are",
    "keeps a question open when one outlet is unable here and another process shows it",
    async (stage) => {
      const asker = await stage.start({ tamper: { post: unable }, otherOutlets: [elsewhere("other")] })
      const { id } = await ask(asker)
      await stage.waitUntil("one said so", async () => (await stage.countEntries(id, "not_shown")) === 1)
      await stage.startWithout([otherOutlet(async () => ({ state: "shown", receipt: {} }))])
      await stage.waitUntil("the other shows it", async () => (await stage.countEntries(id, "shown")) === 1)
      await stage.quiet()
      assert.equal((await asker.hub.get(id))?.status, "pending")
    },
  ),

  verifies(
    "delivery.unable-when-all-are",
    "keeps a question open when it is unable, but a process that asked the same later shows it",
    async (stage) => {
      const asker = await stage.start({ isElsewhere: true })
      const { id } = await ask(asker, { key: "release" })
      await ask(await stage.startWithout([createOutlet(async () => ({ state: "shown" }))]), { key: "release" })
      await stage.waitUntil("it is shown", async () => (await stage.countEntries(id, "shown")) === 1)
      await stage.start({ tamper: { post: unable } })
      await stage.waitUntil("one said so", async () => (await stage.countEntries(id, "not_shown")) === 1)
      await stage.quiet()
      assert.equal((await asker.hub.get(id))?.status, "pending")
    },
  ),

  verifies(
    "delivery.unable-when-all-are",
    "does not let a process without the outlet end a question",
    async (stage) => {
      const asker = await stage.start({ isElsewhere: true })
      const { id } = await ask(asker, { key: "release" })
      const stranger = await stage.startWithout([])
      await ask(stranger, { key: "release" })
      await stage.quiet()
      assert.equal((await asker.hub.get(id))?.status, "pending")
      await stage.start()
      await stage.sees("alice")
    },
  ),

  verifies(
    "delivery.unable-when-all-are",
    "keeps a question open while an outlet lists it, and ends it when all outlets are unable",
    async (stage) => {
      const tamper = { post: unable }
      const listing = await stage.start({ tamper, otherOutlets: [inbox()] })
      const listed = await ask(listing)
      await stage.waitUntil("it said so", async () => (await stage.countEntries(listed.id, "not_shown")) === 1)
      await stage.quiet()
      assert.equal((await listing.hub.get(listed.id))?.status, "pending")
      const blind = await stage.start({ tamper, otherOutlets: [createOutlet(unable)] })
      const { id } = await ask(blind)
      assert.deepEqual((await endsAs(stage, blind.hub, id)).status, "unsupported")
    },
  ),

  verifies(
    ["delivery.unable-when-all-are", "delivery.every-address"],
    "keeps a question open when one of its people can be reached",
    async (stage) => {
      const post: Tamper["post"] = (callOriginal, { address }) =>
        address === stage.addresses[1] ? unable() : callOriginal()
      const process = await stage.start({ tamper: { post } })
      const { id } = await ask(process, { audience: { kind: "role", tenant: alice.tenant, role: "operator" } })
      await stage.sees("carol")
      await stage.waitUntil("one said so", async () => (await stage.countEntries(id, "not_shown")) === 1)
      await stage.quiet()
      assert.equal((await process.hub.get(id))?.status, "pending")
    },
  ),
]
