import { members, type NewMember, type Role } from '@heliograph/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';

/** Members are users: their events refresh it. */
export const teamQuery = queryOptions({
  queryKey: keysOf('users').of('team'),
  queryFn: ({ signal }) => api(members.find, { signal }),
});

const changing = { invalidates: ['users'], showsErrors: true } as const;
/** Links are not kept after their dialog is gone. */
const unkept = { meta: changing, gcTime: 0 };

export const useInvite = () =>
  useMutationOnce({
    mutationFn: (body: NewMember) => api(members.create, { body }),
    ...unkept,
  });

export const useInviteAgain = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(members.invite, { params: { id }, body: {} }),
    ...unkept,
  });

export const useChangeRole = () =>
  useMutationOnce({
    mutationFn: ({ id, role }: { id: string; role: Role }) =>
      api(members.update, { params: { id }, body: { role } }),
    meta: changing,
  });

export const useRemoveMember = () =>
  useMutationOnce({
    mutationFn: (id: string) => api(members.remove, { params: { id } }),
    meta: changing,
  });
