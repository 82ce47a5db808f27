/*
 * Stand-in, see cuda_runtime.h: the one structure of the mlx5 direct verbs
 * that a declaration holds by value. Its size is the hardware's (48 bytes).
 */
#ifndef SHMEMLORE_STUB_MLX5DV_H
#define SHMEMLORE_STUB_MLX5DV_H

struct mlx5_wqe_av {
    unsigned bits[12];
};

#endif
