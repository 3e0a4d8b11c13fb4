// The overhead of the server of scripts: for a call that does not ask, and between a script and the person that it
// asks.

import type { Area } from "../bench.ts"
import { measureCalls } from "./calls.ts"
import { measureExchange } from "./exchange.ts"

export const measureShell: Area = async (bench) => [...(await measureCalls(bench)), ...(await measureExchange(bench))]
