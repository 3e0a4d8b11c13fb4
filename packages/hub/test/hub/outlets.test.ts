// Showing a question in several outlets and withdrawing it again.

import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import { recordingOutlet, settled, setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect } from "vitest"
import type { Delivered } from "../../src/ports/outlet.ts"

const yes = { by: alice, action: "accept", content: { ok: true } } as const

describe("outlets", () => {
  verifies(
    ["outlet.shown-everywhere", "outlet.withdrawn-once"],
    "all show a question, and all withdraw it when one of them answers",
    async () => {
      const [slack, web] = [recordingOutlet("slack"), recordingOutlet("web")]
      const { hub, clock, trailOf } = setUp({ outlets: [slack, web] })
      const asked = await hub.ask(formDraft)
      await settled(clock)
      await hub.answer(asked.id, { ...yes, via: "slack" })
      await settled(clock)
      for (const outlet of [slack, web]) {
        expect(outlet.shown).toHaveLength(1)
        expect(outlet.withdrawn).toMatchObject([{ status: "completed", answeredVia: "slack" }])
      }
      const shownBy = (await trailOf(asked.id)).filter(({ kind }) => kind === "shown").map(({ detail }) => detail.via)
      expect(shownBy.sort()).toEqual(["slack", "web"])
    },
  )

  verifies("outlet.withdrawn-once", "withdraw a question that was answered in another process", async () => {
    const web = recordingOutlet("web")
    const { hub, another, clock } = setUp({ outlets: [web] })
    const asked = await hub.ask(formDraft)
    await settled(clock)
    await another({ outlets: [] }).answer(asked.id, yes)
    await settled(clock)
    expect(web.withdrawn).toMatchObject([{ id: asked.id, status: "completed" }])
  })

  verifies(
    "outlet.shown-everywhere",
    "that fail lose nothing: the question stays open and can still be answered",
    async () => {
      const broken = recordingOutlet("broken", async () => {
        throw new Error("no network")
      })
      const { hub, clock, reports, trailOf } = setUp({ outlets: [broken] })
      const asked = await hub.ask(formDraft)
      await settled(clock)
      expect((await hub.get(asked.id))?.status).toBe("pending")
      expect(reports).toEqual(["showing a question in “broken”: no network"])
      expect(await trailOf(asked.id)).toContainEqual(
        expect.objectContaining({ kind: "not_shown", detail: { via: "broken", code: "delivery_failed" } }),
      )
      expect(await hub.answer(asked.id, yes)).toMatchObject({ ok: true })
    },
  )

  verifies(
    "outlet.unsupported-when-none-can",
    "immediately end a question as unsupported when none of them can show it",
    async () => {
      const unable = async (): Promise<Delivered> => ({ state: "unable", why: "no such user" })
      for (const outlets of [[], [recordingOutlet("slack", unable), recordingOutlet("mail", unable)]]) {
        const { hub } = setUp({ outlets })
        const outcome = await hub.wait(await hub.ask(formDraft))
        expect(outcome).toMatchObject({ status: "unsupported", reason: { code: "no_outlet" } })
      }
    },
  )

  verifies(
    "outlet.shown-everywhere",
    "do not delay the answer when one of them is slow, and the slow one is withdrawn",
    async () => {
      const gate = Promise.withResolvers<Delivered>()
      const slow = recordingOutlet("slow", () => gate.promise)
      const { hub, clock } = setUp({ outlets: [slow, recordingOutlet("quick")] })
      const asked = await hub.ask(formDraft)
      const outcome = hub.wait(asked)
      await hub.answer(asked.id, yes)
      expect(await outcome).toMatchObject({ status: "completed" })
      expect(slow.withdrawn).toEqual([])
      gate.resolve({ state: "shown" })
      await settled(clock)
      expect(slow.withdrawn).toMatchObject([{ status: "completed" }])
    },
  )

  verifies(
    "outlet.shown-everywhere",
    "of one call are used in addition to the hub's own, and show a shared question once",
    async () => {
      const [own, mine] = [recordingOutlet("own"), recordingOutlet("call")]
      const { hub, clock } = setUp({ outlets: [own] })
      const keyed = { ...formDraft, key: "k" }
      await Promise.all(Array.from({ length: 5 }, () => hub.ask(keyed, { outlets: [mine] })))
      await settled(clock)
      expect([own.shown.length, mine.shown.length]).toEqual([1, 1])
    },
  )

  verifies("outlet.answers-at-its-hub", "are created with the hub that gets their answers", async () => {
    const { hub } = setUp({
      outlets: (made) => [
        recordingOutlet("quick", async (question) => {
          await made.answer(question.id, yes)
          return { state: "listed" }
        }),
      ],
    })
    expect(await hub.wait(await hub.ask(formDraft))).toMatchObject({ status: "completed" })
  })

  verifies(
    "outlet.unsupported-when-none-can",
    "keep a question open while one of them may still show it, whatever the others report",
    async () => {
      const unable = recordingOutlet("slack", async () => ({ state: "unable", why: "no such user" }))
      const failing = recordingOutlet("mail", async () => {
        throw new Error("no network")
      })
      for (const other of [recordingOutlet("web"), failing]) {
        const { hub, clock } = setUp({ outlets: [unable, other] })
        const asked = await hub.ask(formDraft)
        await settled(clock)
        expect((await hub.get(asked.id))?.status).toBe("pending")
      }
    },
  )
})
