"""争鸣 (Zhengming): the post-close debate desk for A-share watchlists."""
