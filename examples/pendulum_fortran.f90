! SPDX-License-Identifier: MIT
! The pendulum of pendulum_rk4.c in Fortran, by the same method as in pendulum_cpp.cpp. The type
! mirrors trConstrainDef entry by entry; start from tr_constrain_def_default() as in C.
! C stores matrices row after row: A(j, i) here is row i, coordinate j.

module trammel
    use, intrinsic :: iso_c_binding
    implicit none

    type, bind(c) :: constrain_def
        integer(c_size_t) :: struct_size
        integer(c_int)    :: n, m, k
        type(c_ptr)       :: context, names
        type(c_funptr)    :: mass, mass_solve, phi, jacobian, b1, b, psi, psi_jacobian, psi_b
        integer(c_int)    :: weight
        real(c_double)    :: rank_tolerance, tolerance
        type(c_ptr)       :: scale
        real(c_double)    :: time_scale
        integer(c_int)    :: forms
        type(c_ptr)       :: X
    end type

    interface
        function tr_constrain_def_default() bind(c) result(def)
            import
            type(constrain_def) :: def
        end function
        integer(c_int) function tr_constrain_create(def, t, q, v, c) bind(c)
            import
            type(constrain_def)   :: def
            real(c_double), value :: t
            real(c_double)        :: q(*), v(*)
            type(c_ptr)           :: c
        end function
        integer(c_int) function tr_constrain_state(c, t, q, v) bind(c)
            import
            type(c_ptr), value    :: c
            real(c_double), value :: t
            real(c_double)        :: q(*), v(*)
        end function
        integer(c_int) function tr_constrain_accel(c, t, q, v, a, lambda) bind(c)
            import
            type(c_ptr), value    :: c
            real(c_double), value :: t
            real(c_double)        :: q(*), v(*), a(*), lambda(*)
        end function
        subroutine tr_constrain_destroy(c) bind(c)
            import
            type(c_ptr), value :: c
        end subroutine
    end interface
end module

module pendulum
    use trammel
    implicit none
contains
    integer(c_int) function pendulum_mass(context, t, q, M) bind(c) result(failed)
        type(c_ptr), value    :: context
        real(c_double), value :: t
        real(c_double)        :: q(2), M(2, 2)
        M = reshape([1d0, 0d0, 0d0, 1d0], [2, 2])
        failed = 0
    end function

    integer(c_int) function pendulum_phi(context, t, q, phi) bind(c) result(failed)
        type(c_ptr), value    :: context
        real(c_double), value :: t
        real(c_double)        :: q(2), phi(1)
        phi(1) = sqrt(q(1)**2 + q(2)**2) - 1d0
        failed = 0
    end function
end module

program main
    use pendulum
    implicit none
    type(constrain_def) :: def
    type(c_ptr)         :: c
    real(c_double)      :: q(2), v(2), a(2), lambda(1), h
    integer             :: i

    q = [1d0, 0d0]
    v = 0d0
    h = 1d-4
    def = tr_constrain_def_default()
    def%n = 2
    def%m = 1
    def%mass = c_funloc(pendulum_mass)
    def%phi = c_funloc(pendulum_phi)
    if (tr_constrain_create(def, 0d0, q, v, c) /= 0) stop 1
    do i = 1, 10000
        a = [0d0, -9.81d0]
        if (tr_constrain_accel(c, (i - 1) * h, q, v, a, lambda) /= 0) stop 2
        v = v + h * a
        q = q + h * v
        if (tr_constrain_state(c, i * h, q, v) /= 0) stop 3
    end do
    print '(a, f9.6, a, f9.6)', 'fortran t 1 x ', q(1), ' z ', q(2)
    call tr_constrain_destroy(c)
end program
