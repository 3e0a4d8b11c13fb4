// Opens a client of a kind. Only this file knows which driver is behind which name.

import type { ClientKind, ClientOptions, TestClient, Way } from "./client.ts"
import { openRaw, raw20250618, rawDraft } from "./raw.ts"
import { openV1 } from "./v1.ts"
import { openV2 } from "./v2.ts"

type Open = (way: Way, options: ClientOptions) => Promise<TestClient>

const drivers: Record<ClientKind, Open> = {
  "v2 pinned to 2026-07-28": (way, options) => openV2({ pin: "2026-07-28" }, way, options),
  "v2 auto": (way, options) => openV2("auto", way, options),
  "v2 legacy": (way, options) => openV2("legacy", way, options),
  "v1.32": openV1,
  "raw 2025-06-18": (way, options) => openRaw(raw20250618, way, options),
  "raw draft": (way, options) => openRaw(rawDraft, way, options),
  "no capability": (way, options) => openV2("legacy", way, { ...options, capabilities: {} }),
}

export const open = (kind: ClientKind, way: Way, options: ClientOptions): Promise<TestClient> =>
  drivers[kind](way, options)
