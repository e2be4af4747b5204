/** The sentences for a key that can't be changed any more. */
export const goneWords = {
  key: 'This API key was deleted in another tab or on another device.',
  replaced:
    'This API key was already rotated in another tab or on another device. The list shows the new one.',
};
