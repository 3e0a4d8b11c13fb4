// What tests run inside a page, under the name that tests of the pages know.

export { loseFocus, openEverything, scrollsSideways, whereFocusIs } from "../../in-page.ts"
