/** The screens that docs/pictures shows: what is typed, and what is to be seen. */
import { playBatch } from './batch-scene.ts';
import { profileOf, type Stage } from './stage.ts';

export interface Scene {
  /** The name of its file. */
  name: string;
  title: string;
  /** The description for people who do not see the picture, as in the document. */
  description: string;
  /** In use; without one it is the test gateway's. */
  profile?: string;
  /** Leaves on the terminal what is to be seen. */
  play(stage: Stage): Promise<void>;
}

/** A small newspaper: one reader whose card is good, and one whose card has no money left. */
const SHOP = {
  seed: 'newspaper',
  start: '2026-03-01T09:00:00Z',
  merchants: [
    {
      username: 'TEST',
      plans: [
        { reference: 'gold', name: 'Gold', description: 'Everything, at home', amount: 2500 },
        { reference: 'digital', name: 'Digital', description: 'On any screen', amount: 1451 },
      ],
      customers: [
        {
          reference: 'CUST-1',
          first_name: 'Ada',
          last_name: 'Byron',
          email: 'ada@example.com',
          card: { card_number: '5123456789012346', expiry_date: '05/2031' },
        },
        {
          reference: 'CUST-2',
          first_name: 'Maria',
          last_name: 'Silva',
          email: 'maria@example.com',
          card: { card_number: '4242424242424242', expiry_date: '04/2026' },
        },
      ],
      subscriptions: [
        {
          customer: 'CUST-1',
          plan: 'gold',
          frequency: 'Weekly',
          start_date: '2026-03-03',
          reference: 'SUB-1',
        },
        {
          customer: 'CUST-2',
          plan: 'digital',
          frequency: 'Monthly',
          start_date: '2026-03-28',
          reference: 'SUB-2',
        },
      ],
    },
  ],
};

const CARD = {
  card_number: '5123456789012346',
  card_holder: 'Ada Byron',
  card_expiry: '05/2031',
  cvv: '739',
};
/** A gateway that plays the live environment. */
const LIVE_SHOP = { environment: 'live' };
/** Ada's other purchases and refunds. */
const SINCE = `
token=$(gw customer get CUST-1 -o csv --fields card_token | tail -n 1)
poster=$(gw purchase create --card-token "$token" --amount 4500 --currency AUD --reference WEB-3051 -o id)
gw refund create --transaction-id "$poster" --amount 1500 --reference RET-501
gw subscription get SUB-1`;

const PURCHASE =
  'gw purchase create --test-card approved --amount 2500 \\\n--currency AUD --reference INV-1001';

export const SCENES: readonly Scene[] = [
  {
    name: 'purchase',
    title: 'A purchase',
    description:
      'A terminal: gw purchase create charges 25.00 AUD to a test card, and the record of the approved purchase follows.',
    async play({ terminal }) {
      await terminal.run(PURCHASE);
    },
  },
  {
    name: 'duplicate',
    title: 'The same purchase again',
    description:
      'A terminal: the same purchase is made again; gw refuses it, says when it was made before, and that nothing was sent.',
    async play({ prepare, terminal }) {
      await prepare(PURCHASE);
      await terminal.run(PURCHASE);
    },
  },
  {
    name: 'live',
    title: 'A live profile asks',
    description:
      'A terminal: on a live profile gw shows what a refund would do, and asks for the name of the profile before anything is sent.',
    profile: 'live',
    async play(stage) {
      const { terminal, gatewayPort: port } = stage;
      stage.write('live.json', JSON.stringify(LIVE_SHOP));
      const gateway = stage.begin(`gw emulator start --port ${port} --seed live.json --db live.db`);
      await gateway.printed(/Ctrl-C/);
      await stage.prepare(profileOf('live', `http://127.0.0.1:${port}`));
      stage.write('card.json', JSON.stringify(CARD));
      const sale =
        'gw purchase create --card-file card.json --amount 4500 --currency AUD --reference WEB-3051 --confirm live -o id';
      const id = (await stage.prepare(sale)).trim();
      terminal.begin(`gw refund create ${id} --full --reference RET-501`);
      await terminal.shows(/confirm/);
    },
  },
  {
    name: 'batch',
    title: 'A batch at work',
    description:
      'A terminal: gw refund batch sends the refunds of a spreadsheet; a bar shows how far it is, and above it are the lines that the gateway refused.',
    profile: 'sandbox',
    play: playBatch,
  },
  {
    name: 'support-desk',
    title: 'The support desk',
    description:
      'A terminal: gw get with an email shows the customer, her card, her subscription, what she has paid, and her last charge.',
    async play(stage) {
      await openShop(stage);
      const listener = stage.begin('gw listen');
      await listener.printed(/Ctrl-C/);
      await stage.prepare('gw emulator advance --to 2026-03-31');
      listener.child.kill('SIGINT');
      await listener.ended;
      await stage.prepare(SINCE);
      await stage.terminal.run('gw get ada@example.com');
    },
  },
  {
    name: 'listen',
    title: 'Webhooks as they come',
    description:
      'A terminal: gw listen prints a line for each webhook: charges that are pending, approved, or declined and tried again.',
    async play(stage) {
      await openShop(stage);
      const listener = stage.terminal.begin('gw listen');
      await stage.terminal.shows(/Ctrl-C/);
      await stage.prepare('gw emulator advance --to 2026-03-31');
      await stage.terminal.shows(/ #\d+ /, 12);
      stage.terminal.type('\x03');
      await listener.ended;
    },
  },
  {
    name: 'start',
    title: 'gw by itself',
    description:
      'A terminal: gw without arguments shows the first step, and each command with what it does.',
    async play({ terminal }) {
      await terminal.run('gw');
    },
  },
];

async function openShop({ write, prepare }: Stage): Promise<void> {
  write('shop.json', JSON.stringify(SHOP));
  await prepare(
    'gw emulator reset --seed shop.json && gw customer get CUST-1 && gw subscription get SUB-1',
  );
}
