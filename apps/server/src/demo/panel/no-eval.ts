// First of all: zod would try whether it may write functions at run time, which the pages' content policy forbids.

import { config } from "zod"

config({ jitless: true })
