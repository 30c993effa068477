// What `@cardstock/sdk/mock` offers: a stand-in for a server, for the tests of programs that use the API. It is an entrance of its own, so that
// only tests load it.
export { createMock, type Mock, type MockAnswer, type MockRequest } from './mock/create.ts'
