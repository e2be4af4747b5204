import { limits } from './limits.js';

/** Why a file cannot become an avatar: it is not under 1 MB, or its declared type is not an image. */
export type AvatarRefusal = 'tooLarge' | 'notAnImage';

/** `size` in bytes, `type` a media type. The server checks the content. */
export function avatarRefusal({ size, type }: { size: number; type: string }): AvatarRefusal | null {
  if (size >= limits.avatarMaxBytes) return 'tooLarge';
  if (!type.startsWith('image/')) return 'notAnImage';
  return null;
}

/** The picture that replaces a deleted one: its path, the file name of its upload, and its SHA-256. */
export const defaultAvatar = {
  path: '/default-avatar.jpg',
  name: 'default-avatar.jpg',
  sha256: '9d54b346223342959bb7f0e5635bd70e5ebf1615e7f06ce33a22c7089e321c92',
} as const;

/** Whether this is the URL of the default picture, of this portal or another. */
export const isDefaultAvatar = (address: string): boolean =>
  URL.canParse(address, 'https://portal') &&
  new URL(address, 'https://portal').pathname === defaultAvatar.path;
