/** The package has no types. What the tests use of it. */
declare module 'smpp' {
  const smpp: {
    PDU: new (
      command: string | Buffer,
      options?: Record<string, unknown>,
    ) => { toBuffer(): Buffer };
  };
  export default smpp;
}
