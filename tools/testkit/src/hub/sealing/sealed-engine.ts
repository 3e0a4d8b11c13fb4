// Any storage, sealed, as a harness for the contract.

import { createSealer, sealStorage, withNewKey } from "@holdpoint/hub/sealing"
import type { Engine } from "../stores/engines.ts"

export const sealed =
  (engine: Engine): Engine =>
  async () => {
    const harness = await engine()
    const sealer = createSealer(withNewKey())
    return { ...harness, open: async () => sealStorage(await harness.open(), sealer) }
  }
