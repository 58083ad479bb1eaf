/** The rule of the first field that a call is refused for, or its error code; `accepted` if it is not refused. */
export const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    (error: { body: { code: string; data?: { type: string }[] } }) =>
      error.body.data?.[0]?.type ?? error.body.code,
  );
