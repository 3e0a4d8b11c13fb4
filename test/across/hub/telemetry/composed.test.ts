// The composition of docs/telemetry.md: hub and vault of a whole Holdpoint report to the telemetry.

import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createTelemetry } from "@holdpoint/hub/telemetry"
import type { HoldpointOptions } from "@holdpoint/server"
import { createHoldpoint } from "@holdpoint/server"
import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import * as api from "@opentelemetry/api"
import { expect, it } from "vitest"

it("telemetry reaches the hub of a composed Holdpoint, and needs no registered SDK", async () => {
  const [storage, keys, publicUrl] = [createMemoryStorage(), withNewKey(), "http://127.0.0.1:4650"]
  const people: HoldpointOptions["people"] = { from: "local", user: "alice" }
  // #region compose
  const telemetry = createTelemetry({ storage, keys, openTelemetry: { api } })
  const holdpoint = await createHoldpoint({ storage, keys, publicUrl, people, observer: telemetry })
  // #endregion compose
  const { id } = await holdpoint.hub.ask(formDraft)
  await holdpoint.hub.answer(id, { by: alice, action: "decline" })
  expect(telemetry.total("holdpoint_elicitations_settled_total", { outcome: "declined" })).toBe(1)
  // #region close
  await holdpoint.close()
  await telemetry.close()
  // #endregion close
  await storage.close()
})
