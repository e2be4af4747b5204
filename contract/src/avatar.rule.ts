import { limits } from './limits.js';

/** Why a file cannot become an avatar: it is not under 1 MB, or it says of itself that it is no image. */
export type AvatarRefusal = 'tooLarge' | 'notAnImage';

/** `size` in bytes, `type` a media type. What is in the file, the server looks at. */
export function avatarRefusal({ size, type }: { size: number; type: string }): AvatarRefusal | null {
  if (size >= limits.avatarMaxBytes) return 'tooLarge';
  if (!type.startsWith('image/')) return 'notAnImage';
  return null;
}

/** The picture that takes the place of a deleted one: where it is served, under which name it is sent, and its SHA-256. */
export const defaultAvatar = {
  path: '/default-avatar.jpg',
  name: 'default-avatar.jpg',
  sha256: '9d54b346223342959bb7f0e5635bd70e5ebf1615e7f06ce33a22c7089e321c92',
} as const;

/** Whether this is the address of the default picture, of this portal or of another. */
export const isDefaultAvatar = (address: string): boolean =>
  URL.canParse(address, 'https://portal') &&
  new URL(address, 'https://portal').pathname === defaultAvatar.path;
