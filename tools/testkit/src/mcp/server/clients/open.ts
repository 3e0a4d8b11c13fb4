// Opens a client of a kind. Only this file knows which driver is behind which name.

import type { ClientKind, ClientOptions, Endpoint, TestClient } from "./client.ts"
import { openRaw, raw20250618, rawDraft } from "./raw.ts"
import { openV1 } from "./v1.ts"
import { openV2 } from "./v2.ts"

type Open = (endpoint: Endpoint, options: ClientOptions) => Promise<TestClient>

const drivers: Record<ClientKind, Open> = {
  "v2 pinned to 2026-07-28": (endpoint, options) => openV2({ pin: "2026-07-28" }, endpoint, options),
  "v2 auto": (endpoint, options) => openV2("auto", endpoint, options),
  "v2 legacy": (endpoint, options) => openV2("legacy", endpoint, options),
  "v1.32": openV1,
  "raw 2025-06-18": (endpoint, options) => openRaw(raw20250618, endpoint, options),
  "raw draft": (endpoint, options) => openRaw(rawDraft, endpoint, options),
  "no capability": (endpoint, options) => openV2("legacy", endpoint, { ...options, capabilities: {} }),
}

export const open = (kind: ClientKind, endpoint: Endpoint, options: ClientOptions): Promise<TestClient> =>
  drivers[kind](endpoint, options)
