import smpp from 'smpp';

const { HELIOGRAPH_SMPP, HELIOGRAPH_TOKEN } = process.env;
// Of hg_k7m2p9qw4xtd_Zr3vQ8dL… what comes before the second _ is the name; the next eight characters are the password.
const [, system_id, password] = /^(hg_[^_]+)_(.{8})/.exec(HELIOGRAPH_TOKEN) ?? [];

const session = smpp.connect({ url: HELIOGRAPH_SMPP });

/** Sends a request; gives its answer, if that is no refusal. */
const call = (command, fields) =>
  new Promise((resolve, reject) =>
    session[command](fields, (answer) => {
      const status = answer.command_status;
      if (!status) return resolve(answer);
      const name = Object.keys(smpp.errors).find((one) => smpp.errors[one] === status);
      reject(new Error(`${command} is refused: ${name ?? status}`));
    }),
  );

session.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
session.on('enquire_link', (pdu) => session.send(pdu.response()));
session.on('deliver_sm', (pdu) => {
  session.send(pdu.response());
  const isReceipt = pdu.esm_class & 4;
  console.log(isReceipt ? 'receipt:' : `from ${pdu.source_addr}:`, pdu.short_message.message);
});

await new Promise((resolve) => session.on('connect', resolve));
await call('bind_transceiver', { system_id, password });
console.log('bound');

const { message_id } = await call('submit_sm', {
  source_addr: 'DEMO',
  dest_addr_ton: 1,
  destination_addr: '79990000000',
  short_message: 'Your order is ready',
  registered_delivery: 1,
});
console.log('sent', message_id);
