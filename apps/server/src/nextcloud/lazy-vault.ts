// A vault that is opened when it is first needed: what speaks to networks takes longer to load than a client waits for a
// server to start.

import type { Vault } from "@holdpoint/sdk/vault"

type Used = Omit<Vault, "providers" | "consent" | "close">

export function toLazyVault(open: () => Promise<Vault>): Vault {
  const used: Used = {
    connect: async (...given) => (await open()).connect(...given),
    find: async (...given) => (await open()).find(...given),
    ask: async (...given) => (await open()).ask(...given),
    list: async (...given) => (await open()).list(...given),
    listOfTenant: async (...given) => (await open()).listOfTenant(...given),
    get: async (...given) => (await open()).get(...given),
    use: async (...given) => (await open()).use(...given),
    narrow: async (...given) => (await open()).narrow(...given),
    disconnect: async (...given) => (await open()).disconnect(...given),
    work: async () => (await open()).work(),
  }
  return {
    ...used,
    providers: new Map(),
    get consent(): never {
      throw new Error("Consents are given on the pages, which have the vault itself.")
    },
    // Whoever opened it closes it.
    close: async () => {},
  }
}
