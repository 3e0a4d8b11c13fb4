// Any storage, sealed, as a harness for the contract.

import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createSealer } from "../../src/sealing/seal.ts"
import { sealStorage } from "../../src/sealing/sealed-storage.ts"
import type { Engine } from "../stores/engines.ts"

export const sealed =
  (engine: Engine): Engine =>
  async () => {
    const harness = await engine()
    const sealer = createSealer(withNewKey())
    return { ...harness, open: async () => sealStorage(await harness.open(), sealer) }
  }
