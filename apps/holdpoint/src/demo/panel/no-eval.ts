// Imported first: zod would otherwise test whether it can use eval, which the pages' content security policy forbids.

import { config } from "zod"

config({ jitless: true })
