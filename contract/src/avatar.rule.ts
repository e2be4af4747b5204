import { limits } from './limits.js';

/** Why a file cannot become an avatar (spec §5): it is not under 1 MB, or it says of itself that it is no image. */
export type AvatarRefusal = 'tooLarge' | 'notAnImage';

/** `size` in bytes, `type` a media type. What is in the file, the server looks at. */
export function avatarRefusal({ size, type }: { size: number; type: string }): AvatarRefusal | null {
  if (size >= limits.avatarMaxBytes) return 'tooLarge';
  if (!type.startsWith('image/')) return 'notAnImage';
  return null;
}
