// The window by hand as a Streamlit component.

import { mounted } from "./mount.js";
import { createByHand } from "./byhand.js";

export default mounted(createByHand);
