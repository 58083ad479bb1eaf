import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { LeaveBlocker } from './leave-blocker.tsx';

afterEach(() => vi.restoreAllMocks());

interface GuardProps {
  name: string;
  asks: (name: string) => boolean;
}

const Guard = ({ name, asks }: GuardProps) => (
  <LeaveBlocker asks={() => asks(name)}>
    {(blocker) =>
      blocker.state === 'blocked' && (
        <>
          <p>Leave the {name}?</p>
          <button onClick={() => blocker.reset()}>Stay</button>
          <button onClick={() => blocker.proceed()}>Leave</button>
        </>
      )
    }
  </LeaveBlocker>
);

/** A page with a form and, in it, a dialog with another one. */
function Page({ asks }: Pick<GuardProps, 'asks'>) {
  const [isPageGone, setPageGone] = useState(false);
  return (
    <>
      {!isPageGone && <Guard name="page" asks={asks} />}
      <Guard name="dialog" asks={asks} />
      <button onClick={() => setPageGone(true)}>End the page</button>
    </>
  );
}

async function drawn(asking: string[]) {
  const warned = vi.spyOn(console, 'warn');
  const asks = vi.fn<GuardProps['asks']>((name) => asking.includes(name));
  const { router, user } = await draw(<Page asks={asks} />);
  const leave = () => act(() => router.navigate('/there'));
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  return { warned, asks, leave, press };
}

test('the innermost of two guards asks, and both have their last moment', async () => {
  const { warned, asks, leave, press } = await drawn(['page', 'dialog']);
  await leave();
  await screen.findByText('Leave the dialog?');
  expect(screen.queryByText('Leave the page?')).toBeNull();
  expect(asks.mock.calls.flat()).toEqual(['page', 'dialog']);
  await press('Stay');
  await waitFor(() => expect(screen.queryByText('Leave the dialog?')).toBeNull());
  await leave();
  await screen.findByText('Leave the dialog?');
  await press('Leave');
  await screen.findByText('There');
  expect(warned).not.toHaveBeenCalled();
});

test('a guard asks beside another one that has nothing to lose', async () => {
  const { leave } = await drawn(['page']);
  await leave();
  expect(await screen.findByText('Leave the page?')).toBeTruthy();
});

test('a guard asks after the other one is gone', async () => {
  const { warned, leave, press } = await drawn(['dialog']);
  await press('End the page');
  await leave();
  await screen.findByText('Leave the dialog?');
  expect(warned).not.toHaveBeenCalled();
});
